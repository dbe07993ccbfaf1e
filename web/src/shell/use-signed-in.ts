import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../live/connection.ts'
import { followEvents } from '../live/stream.ts'
import { usePanel } from '../panel/use-panel.ts'
import { paths } from '../paths.ts'
import { speakFor } from '../session/language.ts'
import { meQuery, useMe } from '../session/session.ts'
import { reloadAt } from '../session/viewing.ts'
import { setDensity } from '../theme/density.ts'
import { useMode } from '../theme/theme-provider.tsx'

/**
 * Follows the event stream while signed in, and applies the account's colour mode, density and
 * language.
 */
export function useSignedIn(): void {
  const client = useQueryClient()
  const { live } = usePanel()
  const { id, preferences, liveEventId, viewing } = useMe()
  // The stream's position when this page began to load; later events arrive through the stream.
  const [after] = useState(liveEventId)
  const [, setMode] = useMode()
  useEffect(() => followEvents(client, live, after), [client, live, after])
  // Only the account's settings may change the look, and never those of a customer being viewed
  useEffect(() => {
    if (preferences.mode !== null && viewing === null) setMode(preferences.mode)
  }, [preferences.mode])
  useEffect(() => {
    if (preferences.density !== null && viewing === null) setDensity(preferences.density)
  }, [preferences.density])
  useEffect(() => {
    if (preferences.language !== null && viewing === null) speakFor(preferences.language)
    // If another tab chooses another language, this tab keeps its own until it is reloaded, so that
    // nothing typed here is lost.
  }, [])
  useSamePerson(id)
}

/**
 * Reloads the panel when the session's user changes: viewing as a customer started or ended in another tab,
 * or timed out. The server then closes the event stream, so the user is fetched again after a reconnect.
 */
function useSamePerson(id: string): void {
  const client = useQueryClient()
  const { state } = useConnection()
  const wasLost = useRef(false)
  useEffect(() => {
    if (state === 'open' && wasLost.current)
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
    wasLost.current = state === 'lost'
  }, [client, state])
  const [first] = useState(id)
  useEffect(() => {
    if (id !== first) reloadAt(paths.home)
  }, [id, first])
}
