@echo off
rem Runs alfamix: passes the flags it needs to Java 17 or newer.
setlocal
set "LIB=%~dp0..\lib"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
where /q "%JAVA%" 2>nul || if not exist "%JAVA%.exe" (
  echo alfamix: Java was not found ^(looked for '%JAVA%'^); install Java 17 or newer, or set JAVA_HOME. 1>&2
  exit /b 1
)
set "JARS=%LIB%\*;%LIB%\studio\*"
set "MORE="
if "%~1"=="spark" (
  if not exist "%SPARK_HOME%\jars" (
    echo alfamix: Spark was not found; set SPARK_HOME to a Spark 4. 1>&2
    exit /b 1
  )
  set "JARS=%LIB%\*;%LIB%\spark\*;%SPARK_HOME%\jars\*"
  set "MORE=@%LIB%\spark.args"
)
if defined ALFAMIX_PLUGINS set "JARS=%JARS%;%ALFAMIX_PLUGINS%"
"%JAVA%" "@%LIB%\java.args" %MORE% %JAVA_OPTS% -cp "%JARS%" org.alfamix.cli.Main %*
exit /b %ERRORLEVEL%
