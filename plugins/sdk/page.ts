import type { Language } from '../../shared/src/words/languages.ts'

// Types only: `lodge` exists when the script of a page begins (lodge-page.js).

/** Where a page is shown, and the look of the panel around it. */
export interface PageContext {
  /** The panel's language. */
  readonly language: Language
  readonly scheme: 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  /** Colours and the font of the panel; in style sheets they are `var(--l-<name>)`. */
  readonly tokens: Readonly<Record<string, string>>
  /** The server on whose page it is shown; null in the navigation. */
  readonly server: { readonly id: string; readonly name: string } | null
}

/** An error of a call: `code` is that of the plugin's refusal, or of a problem of the panel. */
export interface PageError extends Error {
  readonly code: string
}

export interface LodgePage {
  readonly version: 1
  /** Resolves once the panel has answered. */
  readonly ready: Promise<PageContext>
  /** Undefined before `ready` resolves. */
  readonly context: PageContext | undefined
  /**
   * Calls the listener now, if there is a context, and whenever it changes. @returns a function that
   * stops it
   */
  onContext(listener: (context: PageContext) => void): () => void
  /**
   * Calls `page.request` of the plugin; request and response have at most 64 KiB as JSON.
   * @throws {PageError}
   */
  call(method: string, payload?: unknown): Promise<unknown>
  /** Opens a page of the panel, such as `/servers`. @throws {PageError} if it does not exist */
  navigate(path: string): Promise<void>
  /** Shows a message with the name of the page. */
  toast(text: string, tone?: 'ok' | 'err'): void
  /** Sets the height in pixels; by default the frame is as high as its content. */
  height(pixels: number): void
}
