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
set "MORE="
if "%~1"=="spark" set "MAIN=org.alfamix.spark.command.SparkCommand"
if "%~1"=="spark" set "JARS=%LIB%\spark\*;%SPARK_HOME%\jars\*"
if "%~1"=="spark" set "MORE=@%LIB%\spark.args"
"%JAVA%" "@%LIB%\java.args" %MORE% %JAVA_OPTS% -cp "%JARS%" %MAIN% %*
exit /b %ERRORLEVEL%
