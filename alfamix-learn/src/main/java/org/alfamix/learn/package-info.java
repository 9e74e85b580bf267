/**
 * Interfaces of models that are trained, independent of the library that trains them. The
 * implementation is found at run time, because it depends on a large native library.
 */
package org.alfamix.learn;
