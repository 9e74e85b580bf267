/** Settings: experimental configurations in YAML. */
package org.alfamix.lab.setting;
