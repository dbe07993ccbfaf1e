import { useEffect, useState } from 'react'
import { type Handed, onShownLink } from '../session/shown-link.ts'
import { part } from '../ui/page/part.tsx'

const LinkDialog = part(() => import('./dialogs/link-dialog.tsx'))

/** Shows links that could not be mailed, on any page; loaded with the first one. */
export function LinkHost() {
  const [link, setLink] = useState<Handed>()
  useEffect(() => onShownLink(setLink), [])
  const hide = () => setLink(undefined)
  return link ? <LinkDialog link={link} onClose={hide} onLost={hide} /> : null
}
