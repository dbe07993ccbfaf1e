/**
 * The kinds of pages: the panel; the panel without the host's changes, in case they broke it; and a
 * document, which has styles of its own.
 */
export type PageKind = 'panel' | 'safe' | 'document'

/** Puts the host's name and look into a page, which is built under the product's name. */
export type Dress = (html: string, kind: PageKind) => Promise<string>
