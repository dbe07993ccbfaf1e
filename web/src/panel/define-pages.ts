import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { LiveRows } from '../live/rows.ts'

/**
 * What a page may stand in: `outside` is for people without a session, `inside` is the panel, `alone` a
 * window of its own, and `server` the page of one server, which has a tab for each.
 */
export type Frame = 'outside' | 'inside' | 'alone' | 'server'
type Routes = { readonly [F in Frame]?: readonly AnyRoute[] }

/** Titles over the entries of the navigation, in this order. */
export const NAVIGATION_GROUPS = ['Fleet', 'Catalogue', 'People', 'System'] as const

/** An entry of the navigation. Of several with one label, a person gets the first that they may open. */
export interface NavigationEntry<To extends string = string> {
  readonly to: To
  readonly label: string
  readonly icon: ComponentType<{ 'aria-hidden'?: boolean }>
  readonly group: (typeof NAVIGATION_GROUPS)[number]
  /** Customers have it too; without this it is for administrators. */
  readonly forCustomers?: true
  readonly needs?: AdminPermission
  /** Marked as current on this page only, and not on those below its address. */
  readonly exact?: true
  /** The key that leads there after `g`. */
  readonly shortcut?: string
}

/** A command of the palette that leads to a page, e.g. "New server". */
export interface PaletteAction<To extends string = string> {
  readonly to: To
  readonly group: 'Create'
  readonly label: string
  readonly needs: AdminPermission
}

/** What the palette finds by a text that somebody types. */
export interface Found {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly description?: string
  readonly to: string
  readonly params: Readonly<Record<string, string>>
}
export type Find = (client: QueryClient, text: string) => Promise<readonly Found[]>

/** A tab on the page of one server. Those of a section stand together, in the order of the pages. */
export interface ServerTab<To extends string = string> {
  readonly to: To
  readonly label: string
  readonly section: (typeof TAB_SECTIONS)[number]
  /** The kind of server that has it; both without this. */
  readonly kind?: 'container' | 'vm'
}
export const TAB_SECTIONS = ['use', 'run', 'own'] as const

/** Brings what the event stream said into the query cache. `data` is what the event carries. */
export type CachePatch = (client: QueryClient, data: never) => void

/** Everything that one folder of pages adds to the panel. */
export interface Pages<R extends Routes = Routes, To extends string = string> {
  /** Pages in the frame that they stand in; their components are loaded when they are opened. */
  readonly routes: R
  readonly navigation?: readonly NavigationEntry<To>[]
  readonly serverTabs?: readonly ServerTab<To>[]
  readonly actions?: readonly PaletteAction<To>[]
  readonly find?: () => Promise<{ readonly default: Find }>
  /** Cached rows by the name that the event stream has for their kind; it also says when one is removed. */
  readonly rows?: Readonly<Record<string, Pick<LiveRows, 'remove'>>>
  /** What to do at an event, by the name of the event. */
  readonly patches?: Readonly<Record<string, CachePatch>>
}

/** The first tab of a frame has the address of the frame. */
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

/** Declares a folder of pages. Its entries, tabs and actions lead only to pages of the same folder. */
export const definePages = <const R extends Routes>(
  pages: Pages<R, OwnAddresses<R>>,
): Pages<R, OwnAddresses<R>> => pages
