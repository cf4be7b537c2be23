@echo off
rem Opens Takujo: the Python beside this file, else one of this PC, else one that uv brings.
chcp 65001 >nul
setlocal
title Takujo
set PYTHONUTF8=1
set "PYTHONPATH=%~dp0app"
set "run=-P -m companion play --open"
if exist "%~dp0python\python.exe" (
    "%~dp0python\python.exe" %run%
    goto ended
)
py -3.13 -c "" >nul 2>nul
if not errorlevel 1 (
    py -3.13 %run%
    goto ended
)
where uv >nul 2>nul
if not errorlevel 1 (
    uv run --no-project --python 3.13 python %run%
    goto ended
)
type "%~dp0no-python.txt"
pause
exit /b 1
:ended
if errorlevel 1 pause
