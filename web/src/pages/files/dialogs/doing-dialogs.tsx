import type { ReactNode } from 'react'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { Doing } from '../doing.ts'
import { ArchiveForm, ExtractForm } from './archive-dialogs.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ModeForm } from './mode-dialog.tsx'
import { NewFileForm, NewFolderForm, RenameForm } from './name-dialog.tsx'
import { PlaceForm } from './place-dialog.tsx'
import { Preview } from './preview.tsx'
import { PullForm } from './pull-dialog.tsx'
import { t } from './words.ts'

interface DoingDialogsProps {
  serverId: string
  folder: string
  doing: Doing | undefined
  onClose: () => void
}

/** The dialog for the current action on files. */
export default function DoingDialogs(props: DoingDialogsProps) {
  const { serverId, doing, onClose } = props
  // Keeps the last action while its dialog closes.
  const [shown, setShown] = useState(doing)
  if (doing !== undefined && doing !== shown) setShown(doing)
  return (
    <>
      <Dialog
        title={shown === undefined ? '' : titleOf(shown)}
        opened={doing !== undefined && doing.what !== 'delete'}
        onClose={onClose}
        wide={shown?.what === 'preview'}
      >
        {shown === undefined ? null : contentOf(shown, props)}
      </Dialog>
      <DeleteDialog
        serverId={serverId}
        entries={doing?.what === 'delete' ? doing.entries : undefined}
        noRoom={shown?.what === 'delete' && shown.forGood === 'noRoom'}
        onClose={onClose}
      />
    </>
  )
}

function titleOf(doing: Doing): string {
  if (doing.what === 'folder') return t.newFolder
  if (doing.what === 'file') return t.newFile
  if (doing.what === 'pull') return t.pullTitle
  if ('entry' in doing) {
    const { name } = doing.entry
    if (doing.what === 'preview') return name
    return doing.what === 'rename' ? t.renameTitle({ file: name }) : t.extractTitle({ file: name })
  }
  if (!('entries' in doing)) return ''
  const about = { count: doing.entries.length, file: doing.entries[0]?.name ?? '' }
  if (doing.what === 'move') return t.moveTitle(about)
  if (doing.what === 'copy') return t.copyTitle(about)
  return doing.what === 'archive' ? t.archiveTitle(about) : t.chmodTitle(about)
}

function contentOf(doing: Doing, props: DoingDialogsProps): ReactNode {
  const { serverId, folder, onClose } = props
  const around = { serverId, folder, onClose }
  switch (doing.what) {
    case 'folder':
      return <NewFolderForm {...around} />
    case 'file':
      return <NewFileForm {...around} />
    case 'pull':
      return <PullForm {...around} />
    case 'rename':
      return <RenameForm serverId={serverId} entry={doing.entry} onClose={onClose} />
    case 'extract':
      return <ExtractForm serverId={serverId} entry={doing.entry} onClose={onClose} />
    case 'preview':
      return <Preview serverId={serverId} entry={doing.entry} />
    case 'move':
    case 'copy':
      return (
        <PlaceForm
          what={doing.what}
          serverId={serverId}
          entries={doing.entries}
          onClose={onClose}
        />
      )
    case 'chmod':
      return <ModeForm serverId={serverId} entries={doing.entries} onClose={onClose} />
    case 'archive':
      return <ArchiveForm serverId={serverId} entries={doing.entries} onClose={onClose} />
    case 'delete':
      return null
  }
}
