import type { Language } from '../../shared/src/words/languages.ts'

// Types only: `lodge` is there when the script of a page begins (lodge-page.js).

/** Where a page stands, and what the panel around it looks like. */
export interface PageContext {
  /** What the panel speaks. */
  readonly language: Language
  readonly scheme: 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  /** Colours and the typeface of the panel; in style sheets they are `var(--l-<name>)`. */
  readonly tokens: Readonly<Record<string, string>>
  /** The server on whose page it stands; null in the navigation. */
  readonly server: { readonly id: string; readonly name: string } | null
}

/** An error of a call: the code of a refusal of the plugin, or of a problem of the panel. */
export interface PageError extends Error {
  readonly code: string
}

export interface LodgePage {
  readonly version: 1
  /** Resolves once the panel has answered. */
  readonly ready: Promise<PageContext>
  /** Undefined until then. */
  readonly context: PageContext | undefined
  /** Called now, if there is a context, and whenever it changes. @returns what ends that */
  onContext(listener: (context: PageContext) => void): () => void
  /**
   * Asks `page.request` of the plugin; both sides have at most 64 KiB as JSON.
   * @throws {PageError}
   */
  call(method: string, payload?: unknown): Promise<unknown>
  /** Opens a page of the panel, such as `/servers`. @throws {PageError} if there is none */
  navigate(path: string): Promise<void>
  /** Shows a sentence beside the name of the page. */
  toast(text: string, tone?: 'ok' | 'err'): void
  /** Sets the height in pixels; without it, the frame is as high as its content. */
  height(pixels: number): void
}
