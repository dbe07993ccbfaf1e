import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followEvents } from '../live/stream.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useMe } from '../session/session.ts'
import { useMode } from '../theme/theme-provider.tsx'

/** Follows the event stream while signed in, and applies the account's colour mode. */
export function useSignedIn(): void {
  const client = useQueryClient()
  const { live } = usePanel()
  const { preferences, liveEventId } = useMe()
  // The stream's position when this page began to load; later events arrive through the stream.
  const [after] = useState(liveEventId)
  const [, setMode] = useMode()
  useEffect(() => followEvents(client, live, after), [client, live, after])
  // Only the account's setting may change the mode
  useEffect(() => {
    if (preferences.mode !== null) setMode(preferences.mode)
  }, [preferences.mode])
}
