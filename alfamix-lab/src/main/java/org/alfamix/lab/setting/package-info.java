/** Experiments as people write them down: settings, in YAML. */
package org.alfamix.lab.setting;
