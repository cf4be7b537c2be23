"""The night report 卓報告: the log, the replay, the proofs, and whose eyes may read them."""
