/** Many dimensions shown in two. */
package org.alfamix.projection;
