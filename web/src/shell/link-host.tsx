import { lazy, Suspense, useEffect, useState } from 'react'
import { type Handed, onShownLink } from '../session/shown-link.ts'

const LinkDialog = lazy(() => import('./link-dialog.tsx'))

/** Shows links that could not be mailed, on any page; loaded with the first one. */
export function LinkHost() {
  const [link, setLink] = useState<Handed>()
  useEffect(() => onShownLink(setLink), [])
  return link ? (
    <Suspense>
      <LinkDialog link={link} onClose={() => setLink(undefined)} />
    </Suspense>
  ) : null
}
