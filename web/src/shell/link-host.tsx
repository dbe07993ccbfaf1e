import { lazy, Suspense, useEffect, useState } from 'react'
import { type Handed, onShownLink } from '../session/shown-link.ts'

const LinkDialog = lazy(() => import('./link-dialog.tsx'))

/** Where links that could not be mailed are shown, whatever page follows; loaded with the first one. */
export function LinkHost() {
  const [link, setLink] = useState<Handed>()
  useEffect(() => onShownLink(setLink), [])
  return link ? (
    <Suspense>
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </Suspense>
  ) : null
}
