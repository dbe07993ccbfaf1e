import { Link } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { useMay } from '../session/session.ts'
import type { Handed } from '../session/shown-link.ts'
import { Button } from '../ui/buttons/button.tsx'
import { CommandBox } from '../ui/data/copy.tsx'
import { timestampText } from '../ui/data/timestamps.ts'
import { Dialog } from '../ui/dialogs/dialog.tsx'
import { Note } from '../ui/notices/note.tsx'
import { Column } from '../ui/page/layout.tsx'

/** Shows a link that could not be mailed, once, to copy. */
export default function LinkDialog({ link, onClose }: { link: Handed; onClose: () => void }) {
  const may = useMay()
  return (
    <Dialog opened wide title="Copy this link" onClose={onClose}>
      <Column>
        <Note tone="warn" title="No mail was sent">
          No mail server is set up, so pass this link on to {link.to} yourself.{' '}
          {may('settings.manage') ? (
            <Link to={paths.settingsMail} onClick={onClose}>
              Set up a mail server
            </Link>
          ) : null}
        </Note>
        <CommandBox command={link.url} label={`Link for ${link.to}`} />
        <p>
          It works once, until {timestampText(link.expiresAt)}, for whoever has it. It is not shown
          again.
        </p>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </Column>
    </Dialog>
  )
}
