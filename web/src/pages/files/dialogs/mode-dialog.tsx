import { type Entry, FileMode } from '@lodge/shared/files.ts'
import { z } from 'zod'
import { api } from '../../../api.ts'
import { Tick } from '../../../ui/choices/tick.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { CHANGES } from '../use-listing.ts'
import styles from './dialogs.module.css'
import { t } from './words.ts'

interface ModeFormProps {
  serverId: string
  entries: readonly Entry[]
  onClose: () => void
}

const isMode = (text: string): boolean => FileMode.safeParse(text).success

/** Permissions of files and folders: checkboxes, or the equivalent octal number. */
export function ModeForm({ serverId, entries, onClose }: ModeFormProps) {
  const form = useForm({
    initial: { mode: entries[0]?.mode ?? '0644' },
    schema: z.object({ mode: z.string().refine(isMode, { error: () => t.notAMode }) }),
    refreshes: CHANGES,
    submit: ({ mode }) =>
      api('POST /api/servers/{id}/files/chmod', {
        params: { id: serverId },
        body: { paths: entries.map(({ path }) => path), mode },
      }),
    done: onClose,
  })
  const { mode } = form.values
  const bits = isMode(mode) ? Number.parseInt(mode, 8) : undefined
  const who = [t.owner, t.group, t.others]
  const what = [t.read, t.write, t.run]
  return (
    <Form form={form} submitText={t.changePermissions} command>
      <div className={styles.modes}>
        {who.map((person, row) => (
          <fieldset key={person}>
            <legend>{person}</legend>
            {what.map((right, at) => {
              const bit = (4 >> at) << (6 - 3 * row)
              return (
                <Tick
                  key={right}
                  label={right}
                  checked={bits !== undefined && (bits & bit) !== 0}
                  onChange={() =>
                    form.set('mode', ((bits ?? 0) ^ bit).toString(8).padStart(4, '0'))
                  }
                />
              )
            })}
          </fieldset>
        ))}
      </div>
      <TextField
        label={t.mode}
        description={t.modeHelp}
        {...form.field('mode')}
        width="number"
        mono
        autoFocus
      />
    </Form>
  )
}
