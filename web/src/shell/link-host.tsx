import { useEffect, useState } from 'react'
import { type Handed, onShownLink } from '../session/shown-link.ts'
import { toastRefused } from '../ui/notices/toast.tsx'
import { part } from '../ui/page/part.tsx'
import { t } from './words.ts'

const LinkDialog = part(() => import('./dialogs/link-dialog.tsx'))

/** Shows links that could not be mailed, on any page; loaded with the first one. */
export function LinkHost() {
  const [link, setLink] = useState<Handed>()
  useEffect(() => onShownLink(setLink), [])
  const hide = () => setLink(undefined)
  if (!link) return null
  // The link is shown only once, so it must not be lost if the dialog cannot be loaded.
  const showPlain = () => {
    toastRefused(t.linkFor({ to: link.to }), link.url)
    hide()
  }
  return <LinkDialog link={link} onClose={hide} onLost={showPlain} />
}
