@echo off
rem Runs alfamix: finds Java, the class path and the flags, like the bash script 'alfamix'.
rem Tested under Wine with a mock of Java, but not on Windows; a test compares its flags with those of the script.
rem No paths in blocks: the parentheses of a path such as 'Program Files (x86)' would end the block.
setlocal disabledelayedexpansion
set "LIB=%~dp0..\lib"
set "ALFAMIX_COMMAND=%~n0"
set "MAIN=org.alfamix.cli.Main"

rem An archive with a Java runtime always uses it.
if exist "%~dp0..\runtime\bin\java.exe" set "JAVA_HOME=%~dp0..\runtime"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
set "VERSION="
if defined JAVA_HOME if not exist "%JAVA%.exe" goto nojava
if not defined JAVA_HOME where /q java || goto nojava
if defined JAVA_HOME if exist "%JAVA_HOME%\release" (
  for /f "tokens=2 delims==" %%v in ('findstr /b JAVA_VERSION^= "%%JAVA_HOME%%\release"') do set "VERSION=%%~v"
)
if defined VERSION goto major
for /f "tokens=3" %%v in ('call "%%JAVA%%" -version 2^>^&1 ^| findstr /c:" version "') do set "VERSION=%%~v"
if not defined VERSION goto nojava
:major
for /f "delims=.-+" %%m in ("%VERSION%") do set "MAJOR=%%m"
if %MAJOR% LSS 17 goto oldjava

set "JARS=%LIB%\*;%LIB%\studio\*"
set "MORE="
set "SPARK="
if "%~1"=="spark" set "SPARK=run"
if "%~1"=="help" if "%~2"=="spark" set "SPARK=help"
if not defined SPARK goto plugins
if exist "%SPARK_HOME%\jars" goto spark
if "%SPARK%"=="run" goto nospark
goto plugins
:spark
set "JARS=%LIB%\*;%LIB%\spark\alfamix-spark-job.jar;%SPARK_HOME%\jars\*"
set "MORE=@"%LIB%\spark.args" --add-opens=java.base/sun.security.action=ALL-UNNAMED"
if %MAJOR% GEQ 24 set "MORE=@"%LIB%\spark.args" --sun-misc-unsafe-memory-access=allow"

:plugins
if not defined ALFAMIX_PLUGINS goto archive
set "JARS=%JARS%;%ALFAMIX_PLUGINS%"
for %%p in ("%ALFAMIX_PLUGINS:;=" "%") do if not exist %%p echo alfamix: ALFAMIX_PLUGINS: %%p does not exist. 1>&2& exit /b 1

:archive
rem The class data archive (CDS), created once for each version of Java.
set "ARCHIVE=%LIB%\alfamix-%VERSION%.jsa"
if defined SPARK goto processors
if exist "%ARCHIVE%" goto shared
set "FRESH=%ARCHIVE%.%RANDOM%"
"%JAVA%" "@%LIB%\java.args" -Xlog:disable "-XX:ArchiveClassesAtExit=%FRESH%" -cp "%LIB%\*;%LIB%\studio\*" %MAIN% prepare >nul 2>&1 <nul
if exist "%FRESH%" move /y "%FRESH%" "%ARCHIVE%" >nul 2>&1
if not exist "%ARCHIVE%" goto processors
:shared
set "MORE=%MORE% "-XX:SharedArchiveFile=%ARCHIVE%" -Xlog:cds=off -Xlog:cds+dynamic=off"

:processors
if %NUMBER_OF_PROCESSORS% LEQ 3 set "MORE=%MORE% -XX:CICompilerCount=3"
rem Java announces the incubating vector module on standard error; a batch file cannot remove that line.
"%JAVA%" "@%LIB%\java.args" %MORE% %JAVA_OPTS% -cp "%JARS%" %MAIN% %*
exit /b %ERRORLEVEL%

:nojava
echo alfamix: Java was not found (looked for '%JAVA%'); install Java 17 or newer, or set JAVA_HOME. 1>&2
exit /b 1
:oldjava
echo alfamix: '%JAVA%' is version %VERSION%; Java 17 or newer is required (set JAVA_HOME). 1>&2
exit /b 1
:nospark
echo alfamix: Spark was not found; set SPARK_HOME to a Spark 4 installation. 1>&2
exit /b 1
