import type { HelpName } from '@lodge/shared/help.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Call } from '../command/call.ts'
import type { LiveRows } from '../live/rows.ts'
import { names } from './names.ts'

/**
 * The frame around a page: `outside` for people without a session, `inside` the panel, `alone` a
 * separate window, and `server` the page of one server, as a tab.
 */
export type Frame = 'outside' | 'inside' | 'alone' | 'server'
type Routes = { readonly [F in Frame]?: readonly AnyRoute[] }

/** Headings of the navigation by the name of their group, in order. */
export const navigationGroups = () => ({
  fleet: names.fleet,
  catalogue: names.catalogue,
  people: names.people,
  system: names.system,
})
type NavigationGroup = keyof ReturnType<typeof navigationGroups>

/**
 * An entry of the navigation. Of several with the same label, a person sees the first that they may
 * open.
 */
export interface NavigationEntry<To extends string = string> {
  readonly to: To
  readonly label: string
  readonly icon: ComponentType<{ 'aria-hidden'?: boolean }>
  readonly group: NavigationGroup
  /**
   * Shown to customers as well, and to administrators in the view of their own servers; `only`: not
   * shown among the pages of administration.
   */
  readonly forCustomers?: true | 'only'
  /** The query string of the link in the view of one's own servers. */
  readonly ownSearch?: Readonly<Record<string, string>>
  readonly needs?: AdminPermission
  /** Marked as current on this page only, not on pages below its path. */
  readonly exact?: true
  /** The key that opens it after `g`. */
  readonly shortcut?: string
  /** The document that explains this page and those below it. */
  readonly help?: HelpName
}

/** A palette command that opens a page, e.g. "New server". */
export interface PaletteAction<To extends string = string> {
  readonly to: To
  readonly group: 'create' | 'goTo' | 'settings'
  readonly label: string
  /** Other words that people type for it. */
  readonly keywords?: string
  /** The document that explains this page, if it is not that of its entry in the navigation. */
  readonly help?: HelpName
  /** For everybody if absent. */
  readonly needs?: AdminPermission
}

interface Shown {
  readonly id: string
  /** The heading above it. */
  readonly group: string
  readonly label: string
  readonly description?: string
  /** Other words that it answers to. */
  readonly keywords?: string
}

/** A search result of the palette that opens a page. */
interface FoundPage extends Shown {
  readonly to: string
  readonly params: Readonly<Record<string, string>>
}

/** A search result of the palette that runs an action, such as stopping a server. */
export interface FoundDeed extends Shown {
  readonly call: Call
  /** A question to confirm first, if the action has a noticeable effect: a sentence that names it. */
  readonly confirm?: string
  readonly disabledBecause?: string | undefined
  /** Resolves to a sentence that reports the result. */
  readonly run: () => Promise<string>
}
export type Found = FoundPage | FoundDeed

/** Searches for the typed text; without text it returns the commands for the page at this path. */
export type Find = (client: QueryClient, text: string, path: string) => Promise<readonly Found[]>

/** A tab on the page of one server. Tabs of one section are adjacent, in the order of the pages. */
export interface ServerTab<To extends string = string> {
  readonly to: To
  readonly label: string
  readonly section: (typeof TAB_SECTIONS)[number]
  /** The kind of server that has the tab; both if absent. */
  readonly kind?: 'container' | 'vm'
  /** The document that explains this tab. */
  readonly help?: HelpName
}
export const TAB_SECTIONS = ['use', 'keep', 'run', 'own'] as const

/** Applies an event to the query cache. `data` is the event's payload. */
export type CachePatch = (client: QueryClient, data: never) => void

/** A function is called when the panel is composed, because texts need the chosen language. */
export type Late<T> = T | (() => T)

/** Everything that one folder contributes to the panel. */
export interface Pages<R extends Routes = Routes, To extends string = string> {
  /** Pages by frame; their components load when opened. */
  readonly routes: R
  readonly navigation?: Late<readonly NavigationEntry<To>[]>
  readonly serverTabs?: Late<readonly ServerTab<To>[]>
  readonly actions?: Late<readonly PaletteAction<To>[]>
  readonly find?: () => Promise<{ readonly default: Find }>
  /**
   * Cached rows by the event stream's name of their kind; removed when the stream reports a deletion.
   */
  readonly rows?: Readonly<Record<string, Pick<LiveRows, 'remove'>>>
  /** Cache patches by the name of the event. */
  readonly patches?: Readonly<Record<string, CachePatch>>
}

/** The first tab of a frame has the frame's address. */
type WithoutSlash<P extends string> = P extends `${infer Rest}/` ? Rest : P
type AddressesOf<T> = T extends {
  readonly types: { readonly fullPath: infer Own extends string; readonly children: infer Below }
}
  ? WithoutSlash<Own> | (Below extends readonly unknown[] ? AddressesOf<Below[number]> : never)
  : never
type OwnAddresses<R extends Routes> = {
  [F in keyof R]: R[F] extends readonly unknown[] ? AddressesOf<R[F][number]> : never
}[keyof R] &
  string

/** Declares a folder of pages. Its entries, tabs and actions link only to pages of the same folder. */
export const definePages = <const R extends Routes>(
  pages: Pages<R, OwnAddresses<R>>,
): Pages<R, OwnAddresses<R>> => pages
