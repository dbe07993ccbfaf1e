/**
 * The pages that are sent: the panel; the panel without what a host has changed and may have gone
 * wrong; and a document, which has styles of its own.
 */
export type PageKind = 'panel' | 'safe' | 'document'

/** Gives a page, built under the product's name, the name and the look of the host. */
export type Dress = (html: string, kind: PageKind) => Promise<string>
