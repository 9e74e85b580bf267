/** The server: pages for people, JSON for programs. */
package org.alfamix.studio.web;
