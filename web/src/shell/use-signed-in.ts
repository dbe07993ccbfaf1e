import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { followEvents } from '../live/stream.ts'
import { usePanel } from '../panel/use-panel.ts'
import { useMe } from '../session/session.ts'
import { useMode } from '../theme/theme-provider.tsx'

/** Follows the events for as long as somebody is signed in, and takes over the chosen colour mode. */
export function useSignedIn(): void {
  const client = useQueryClient()
  const { live } = usePanel()
  const { preferences, liveEventId } = useMe()
  // Where the stream stood when this page began to load; what comes later it says itself.
  const [after] = useState(liveEventId)
  const [, setMode] = useMode()
  useEffect(() => followEvents(client, live, after), [client, live, after])
  // Only what the account says may set the mode
  useEffect(() => {
    if (preferences.mode !== null) setMode(preferences.mode)
  }, [preferences.mode])
}
