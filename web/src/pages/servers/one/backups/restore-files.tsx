import { type Backup, RestoreFiles, type RestoringFiles } from '@lodge/shared/backups.ts'
import { api } from '../../../../api.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { Choices } from '../../../../ui/choices/choices.tsx'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { t } from './words.ts'

interface Values {
  where: 'folder' | 'place'
  into: string
  keepReplaced: boolean
}

interface RestoreFilesFormProps {
  backup: Backup
  paths: readonly string[]
  onBack: () => void
  onDone: () => void
}

const wheres = () =>
  [
    { value: 'folder', label: t.intoFolder, description: t.intoFolderHelp },
    { value: 'place', label: t.inPlace, description: t.inPlaceHelp },
  ] as const

/** Restores single files and folders, by default beside the current ones. */
export function RestoreFilesForm({ backup, paths, onBack, onDone }: RestoreFilesFormProps) {
  const bodyOf = ({ where, into, keepReplaced }: Values): RestoreFiles => ({
    paths: [...paths],
    ...(where === 'place' ? { confirm: true } : { into: into.trim() }),
    keepReplaced,
  })
  const form = useForm<Values, RestoringFiles>({
    initial: { where: 'folder', into: '/restored', keepReplaced: true },
    schema: RestoreFiles,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/servers/{id}/backups/{backupId}/restore-files', {
        params: { id: backup.serverId, backupId: backup.id },
        body: bodyOf(values),
      }),
    refreshes: ['GET /api/jobs'],
    done: ({ keptIn }) => {
      toastDone(
        t.restoringFiles,
        keptIn === null ? t.seeJobs : t.replacedGoesTo({ folder: keptIn }),
      )
      onDone()
    },
  })
  const [first = ''] = paths
  const inPlace = form.values.where === 'place'
  const loses = inPlace && !form.values.keepReplaced
  return (
    <Form
      form={form}
      command
      submitText={t.restoreFiles}
      submitKind={loses ? 'danger' : 'primary'}
      beside={
        <Button kind="quiet" onClick={onBack}>
          {t.backToFiles}
        </Button>
      }
    >
      <Text>{t.restoreFilesText({ count: paths.length, name: first })}</Text>
      <Choices
        label={t.where}
        value={form.values.where}
        choices={wheres()}
        onChange={(where) => form.set('where', where)}
      />
      {inPlace ? null : (
        <TextField
          label={t.targetFolder}
          description={t.targetFolderHelp}
          mono
          autoComplete="off"
          {...form.field('into')}
        />
      )}
      <SwitchField
        {...form.field('keepReplaced')}
        label={t.keepReplaced}
        description={form.values.keepReplaced ? t.keepReplacedHelp : t.replacedIsLost}
      />
    </Form>
  )
}
