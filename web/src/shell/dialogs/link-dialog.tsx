import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import type { Handed } from '../../session/shown-link.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** Shows a link that could not be mailed, once, to copy. */
export default function LinkDialog({ link, onClose }: { link: Handed; onClose: () => void }) {
  const may = useMay()
  return (
    <Dialog opened wide title={t.copyLink} onClose={onClose}>
      <Column>
        <Note tone="warn" title={t.noMail}>
          {t.passOn({ to: link.to })}{' '}
          {may('settings.manage') ? (
            <Link to={paths.settingsMail} onClick={onClose}>
              {t.setUpMail}
            </Link>
          ) : null}
        </Note>
        <CommandBox command={link.url} label={t.linkFor({ to: link.to })} />
        <p>{t.worksOnce({ until: timestampText(link.expiresAt) })}</p>
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      </Column>
    </Dialog>
  )
}
