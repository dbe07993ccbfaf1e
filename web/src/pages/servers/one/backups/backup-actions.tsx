import type { Backup, BackupStanding } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useNavigate } from '@tanstack/react-router'
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left'
import Download from 'lucide-react/icons/download'
import FolderOpen from 'lucide-react/icons/folder-open'
import History from 'lucide-react/icons/history'
import Lock from 'lucide-react/icons/lock'
import LockOpen from 'lucide-react/icons/lock-open'
import Pencil from 'lucide-react/icons/pencil'
import ShieldCheck from 'lucide-react/icons/shield-check'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { callOf } from '../../../../command/call-of.ts'
import { why } from '../../../../panel/said.ts'
import { paths } from '../../../../paths.ts'
import { useAct } from '../../../../query.ts'
import { useMissing } from '../../../../session/session.ts'
import { IconButton } from '../../../../ui/buttons/button.tsx'
import { RowActions } from '../../../../ui/data/row-actions.tsx'
import { saveFrom } from '../../../../ui/data/save-file.ts'
import { Ago } from '../../../../ui/data/time.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { toastDone, toastRefused } from '../../../../ui/notices/toast.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { useLacking } from '../use-rights.ts'
import { RenameBackup } from './rename-backup.tsx'
import { RestoreBackup } from './restore-backup.tsx'
import { RestoreToOther } from './restore-to-other.tsx'
import { browsing, downloadAddress } from './use-backups.ts'
import { t } from './words.ts'

const LIST = ['GET /api/servers/{id}/backups'] as const
const EDIT = 'PATCH /api/servers/{id}/backups/{backupId}'
const DELETE = 'DELETE /api/servers/{id}/backups/{backupId}'
const VERIFY = 'POST /api/servers/{id}/backups/{backupId}/verify'

interface BackupActionsProps {
  backup: Backup
  server: Server
  standing: BackupStanding
  /** Why nothing can be started now. */
  underWay: string | undefined
  /** Why none can be verified now. */
  verifying: string | undefined
}

/** The actions of one backup. */
export function BackupActions(props: BackupActionsProps) {
  const { backup, server, standing, underWay, verifying } = props
  const [asked, setAsked] = useState<'restore' | 'other' | 'rename' | 'delete'>()
  const close = (): void => setAsked(undefined)
  const navigate = useNavigate({ from: paths.serverBackups })
  const lacking = useLacking(server.id)
  const notHost = useMissing()('servers.backups')
  const edit = useAct(EDIT, LIST)
  const remove = useAct(DELETE, [...LIST, 'GET /api/jobs'])
  const verify = useAct(VERIFY, ['GET /api/jobs'])
  const { state, locked } = backup
  const named = { backup: backup.name }
  const params = { id: server.id, backupId: backup.id }
  const notWhole = state === 'good' ? undefined : t.notComplete
  const broken = notWhole ?? (backup.damaged ? t.damagedSoNot : undefined)
  const noRestore = broken ?? why(standing.whyNot.restore) ?? underWay
  const noBrowse = notWhole ?? why(standing.whyNot.browse)
  // The disks of a machine are images, which only the guest can read.
  const hasFiles = server.kind === 'container'
  const gone = state === 'deleting' ? t.beingDeleted : undefined
  const notMine = backup.byHost && notHost !== undefined ? t.hostKeepsIt : undefined
  const noEdit = gone ?? notMine ?? lacking(EDIT, 'backups.create')
  const lock = { params, body: { locked: !locked } }
  const browse = (): void => void navigate({ search: browsing(backup) })
  const toggleLock = (): void =>
    edit.mutate(lock, {
      onError: (error) => toastRefused(t.notChanged(named), error),
    })
  const beginVerifying = (): void =>
    verify.mutate(
      { params },
      {
        onSuccess: () => toastDone(t.verifying(named), t.seeJobs),
        onError: (error) => toastRefused(t.notVerified(named), error),
      },
    )
  return (
    <>
      <RowActions
        label={t.actionsFor(named)}
        entries={[
          ...(hasFiles
            ? [
                {
                  label: t.browse,
                  icon: <FolderOpen aria-hidden />,
                  disabledBecause: noBrowse,
                  onSelect: browse,
                },
              ]
            : []),
          {
            label: t.download,
            icon: <Download aria-hidden />,
            disabledBecause: notWhole ?? why(standing.whyNot.download),
            onSelect: () => saveFrom(downloadAddress(backup)),
          },
          {
            label: t.restoreAsk,
            icon: <History aria-hidden />,
            disabledBecause: noRestore,
            onSelect: () => setAsked('restore'),
          },
          {
            label: t.restoreToOtherAsk,
            icon: <ArrowRightLeft aria-hidden />,
            disabledBecause: broken ?? why(standing.whyNot.restoreElsewhere),
            onSelect: () => setAsked('other'),
          },
          {
            label: t.verify,
            icon: <ShieldCheck aria-hidden />,
            disabledBecause:
              (state === 'good' ? undefined : t.nothingToVerify) ??
              why(standing.whyNot.verify) ??
              verifying,
            call: callOf(VERIFY, { params }),
            onSelect: beginVerifying,
          },
          {
            label: t.renameAsk,
            icon: <Pencil aria-hidden />,
            separated: true,
            disabledBecause: noEdit,
            onSelect: () => setAsked('rename'),
          },
          {
            label: locked ? t.unlock : t.lock,
            icon: locked ? <LockOpen aria-hidden /> : <Lock aria-hidden />,
            disabledBecause:
              noEdit ?? (state === 'failed' && !locked ? t.nothingToLock : undefined),
            call: callOf(EDIT, lock),
            onSelect: toggleLock,
          },
          {
            label: t.deleteAsk,
            icon: <Trash2 aria-hidden />,
            danger: true,
            separated: true,
            disabledBecause:
              gone ??
              notMine ??
              lacking(DELETE, 'backups.delete') ??
              (state === 'creating' ? t.stillCreating : locked ? t.unlockFirst : underWay),
            onSelect: () => setAsked('delete'),
          },
        ]}
      >
        {hasFiles && (
          <span>
            <IconButton
              label={t.browseOne(named)}
              size="small"
              disabledBecause={noBrowse}
              onClick={browse}
            >
              <FolderOpen />
            </IconButton>
          </span>
        )}
        <span>
          <IconButton
            label={t.restoreOne(named)}
            size="small"
            disabledBecause={noRestore}
            onClick={() => setAsked('restore')}
          >
            <History />
          </IconButton>
        </span>
      </RowActions>
      <Dialog title={t.restoreOne(named)} opened={asked === 'restore'} onClose={close}>
        <RestoreBackup backup={backup} server={server} standing={standing} onDone={close} />
      </Dialog>
      <Dialog title={t.restoreOne(named)} opened={asked === 'other'} onClose={close}>
        <RestoreToOther backup={backup} server={server} onDone={close} />
      </Dialog>
      <Dialog title={t.rename} opened={asked === 'rename'} onClose={close}>
        <RenameBackup backup={backup} onDone={close} />
      </Dialog>
      <ConfirmDialog
        opened={asked === 'delete'}
        onClose={close}
        title={t.deleteOne(named)}
        verb={t.delete}
        onConfirm={() => remove.mutateAsync({ params })}
      >
        {state === 'failed'
          ? t.deleteFailedText
          : rich(t.deleteText({ when: () => <Ago at={backup.createdAt} /> }))}
      </ConfirmDialog>
    </>
  )
}
