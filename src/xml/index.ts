/** The XML layer: reads XML of strangers within limits, and what a signature over it covers. */
export { elementAt, elementsIn, readXml, textAt } from './read-xml.js';
export { openSignedXml } from './signed-xml.js';
