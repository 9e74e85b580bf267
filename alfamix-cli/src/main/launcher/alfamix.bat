@echo off
rem Runs alfamix: passes the flags it needs to Java 17 or newer.
setlocal
set "LIB=%~dp0..\lib"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
"%JAVA%" "@%LIB%\java.args" %JAVA_OPTS% -cp "%LIB%\*" org.alfamix.cli.Main %*
exit /b %ERRORLEVEL%
