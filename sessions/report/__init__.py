"""The session report 卓報告: the log, the replay, the proofs, and the readers they are open to."""
