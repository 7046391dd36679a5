/** What the packages of this module share and nobody else sees: the module does not export it. */
package dev.cqs.internal;
