/** Shows counter-examples: as text, for Graphviz, and as pictures. */
package dev.cqs.amc.report;
