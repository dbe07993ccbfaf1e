import type { QueryClient } from '@tanstack/react-query'
import type { LiveMessage } from '../live/message.ts'
import {
  type Find,
  type Frame,
  type Late,
  type NavigationEntry,
  navigationGroups,
  type Pages,
  type PaletteAction,
  type ServerTab,
  TAB_SECTIONS,
} from './define-pages.ts'

/** Everything that the folders of pages contribute, apart from their routes. */
export interface Panel {
  readonly navigation: readonly NavigationEntry[]
  readonly serverTabs: readonly ServerTab[]
  readonly actions: readonly PaletteAction[]
  readonly finders: readonly (() => Promise<{ readonly default: Find }>)[]
  readonly live: LiveCache
}

/** How the event stream keeps the query cache fresh. */
export interface LiveCache {
  /** The events that any folder handles. */
  readonly events: readonly string[]
  /** Applies one message of the stream to the cache. */
  patch(client: QueryClient, message: LiveMessage): void
}

/** Combines the contributions of the folders, in their order. */
export function composePanel(list: readonly Pages[]): Panel {
  const groups = Object.keys(navigationGroups())
  return {
    navigation: sortedBy(
      list.flatMap(({ navigation }) => now(navigation)),
      ({ group }) => groups.indexOf(group),
    ),
    serverTabs: sortedBy(
      list.flatMap(({ serverTabs }) => now(serverTabs)),
      ({ section }) => TAB_SECTIONS.indexOf(section),
    ),
    actions: list.flatMap(({ actions }) => now(actions)),
    finders: list.flatMap(({ find }) => find ?? []),
    live: composeLive(list),
  }
}

const now = <T>(entries: Late<readonly T[]> | undefined): readonly T[] =>
  typeof entries === 'function' ? entries() : (entries ?? [])

/** Sorting is stable: equal ranks keep the order of the folders. */
const sortedBy = <T>(items: readonly T[], rank: (item: T) => number): readonly T[] =>
  items.toSorted((a, b) => rank(a) - rank(b))

function composeLive(list: readonly Pages[]): LiveCache {
  return {
    events: [
      ...new Set([
        ...list.flatMap(({ patches }) => Object.keys(patches ?? {})),
        'removed',
        'reset',
      ]),
    ],
    patch(client, message) {
      if (message.type === 'reset') void client.invalidateQueries()
      if (message.type === 'removed') {
        const { kind, id } = message.data as { readonly kind: string; readonly id: string }
        for (const { rows } of list) rows?.[kind]?.remove(client, id)
      }
      for (const { patches } of list) patches?.[message.type]?.(client, message.data as never)
    },
  }
}

type RoutesIn<F extends Frame, L extends readonly unknown[]> = L extends readonly [
  infer First,
  ...infer Rest,
]
  ? readonly [
      ...(First extends {
        readonly routes: { readonly [K in F]: infer Own extends readonly unknown[] }
      }
        ? Own
        : readonly []),
      ...RoutesIn<F, Rest>,
    ]
  : readonly []

/** The routes of all folders in this frame, with their types, so that links are type-checked. */
export const routesIn = <F extends Frame, const L extends readonly Pages[]>(
  frame: F,
  list: L,
): RoutesIn<F, L> => list.flatMap(({ routes }) => routes[frame] ?? []) as unknown as RoutesIn<F, L>
