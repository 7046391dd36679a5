/** What the packages of this module share and no other module sees: the module does not export it. */
@NullMarked
package dev.cqs.internal;

import org.jspecify.annotations.NullMarked;
