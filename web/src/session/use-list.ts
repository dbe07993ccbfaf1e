import type { ListName, ListPreference } from '@lodge/shared/lists/preferences.ts'
import { UNARRANGED } from '@lodge/shared/lists/unarranged.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../api.ts'
import {
  type Arranged,
  type ArrangedList,
  arrange,
  type Column,
  columnId,
  keptOf,
} from '../ui/data/column.ts'
import { toastRefused } from '../ui/notices/toast.tsx'
import { type Me, meQuery, useMe } from './session.ts'
import { t } from './words.ts'

/** Collects several changes of widths and positions into one save. */
const COLUMNS_AFTER_MS = 600

/**
 * A list as the signed-in person arranged it. Changes show at once and are saved with the account;
 * while somebody views as a customer they only last as long as the page.
 * @param columns must stay the same array as long as the columns do
 */
export function useList<T>(name: ListName, columns: readonly Column<T>[]): ArrangedList<T> {
  const client = useQueryClient()
  const { preferences, viewing } = useMe()
  // Shown until it is saved: an account fetched meanwhile still has the former list.
  const [own, setOwn] = useState<ListPreference>()
  const kept = own ?? preferences.lists[name] ?? UNARRANGED
  const latest = useRef(kept)
  latest.current = kept
  const unsaved = useRef<{ list: ListPreference; timer: ReturnType<typeof setTimeout> }>(undefined)
  const readOnly = viewing !== null

  const save = useCallback((): void => {
    const list = unsaved.current?.list
    clearTimeout(unsaved.current?.timer)
    unsaved.current = undefined
    const { mode } = client.getQueryData<Me>(meQuery.queryKey)?.preferences ?? {}
    if (!list || readOnly || mode === undefined) return
    api('PUT /api/auth/preferences', {
      body: { mode, lists: { [name]: list } },
      keepalive: true,
    }).then(
      (me) => {
        if (!unsaved.current) client.setQueryData<Me>(meQuery.queryKey, me)
        setOwn((shown) => (shown === list ? undefined : shown))
      },
      (error: unknown) => {
        toastRefused(t.listNotSaved, error)
        setOwn((shown) => (shown === list ? undefined : shown))
        return client.invalidateQueries({ queryKey: meQuery.queryKey })
      },
    )
  }, [client, name, readOnly])
  // Saves the last change even if the page is left immediately.
  useEffect(() => {
    const leave = (): void => {
      if (document.visibilityState === 'hidden') save()
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      save()
    }
  }, [save])

  const keep = useCallback(
    (change: Partial<ListPreference>): void => {
      const me = client.getQueryData<Me>(meQuery.queryKey)
      if (!me) return
      const list = { ...latest.current, ...change }
      latest.current = list
      setOwn(list)
      const lists = { ...me.preferences.lists, [name]: list }
      client.setQueryData<Me>(meQuery.queryKey, {
        ...me,
        preferences: { ...me.preferences, lists },
      })
      clearTimeout(unsaved.current?.timer)
      const timer = setTimeout(save, 'columns' in change ? COLUMNS_AFTER_MS : 0)
      unsaved.current = { list, timer }
    },
    [client, name, save],
  )
  const arranged = useMemo(() => arrange(columns, kept.columns), [columns, kept.columns])
  const arrangeAs = useCallback(
    (next: readonly Arranged<T>[]) => keep({ columns: keptOf(next, latest.current.columns) }),
    [keep],
  )
  return {
    kept,
    arranged,
    columns: useMemo(() => arranged.flatMap((one) => (one.shown ? [one.column] : [])), [arranged]),
    keep,
    arrangeAs,
    setWidth: (column, px) =>
      arrangeAs(
        arranged.map((one) =>
          one.id === columnId(column)
            ? { ...one, column: { ...one.column, width: px ?? undefined } }
            : one,
        ),
      ),
  }
}
