@echo off
rem Runs alfamix: passes the flags it needs to Java 17 or newer.
setlocal
set "LIB=%~dp0..\lib"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
set "MAIN=org.alfamix.cli.Main"
set "JARS=%LIB%\*"
if "%~1"=="studio" set "MAIN=org.alfamix.studio.command.StudioCommand"
if "%~1"=="studio" set "JARS=%LIB%\*;%LIB%\studio\*"
"%JAVA%" "@%LIB%\java.args" %JAVA_OPTS% -cp "%JARS%" %MAIN% %*
exit /b %ERRORLEVEL%
