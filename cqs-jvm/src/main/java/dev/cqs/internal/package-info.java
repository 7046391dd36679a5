/** What the packages of this module share and no other module sees: the module does not export it. */
package dev.cqs.internal;
