import type { ShownLink } from '@lodge/shared/accounts.ts'
import type { FileRules } from '@lodge/shared/file-rules.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { api, type Reply } from '../../../../api.ts'
import { showLink } from '../../../../session/shown-link.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { FolderRules, sentRules } from './folder-rules.tsx'
import { RightsFields } from './rights-fields.tsx'
import { rightsOfPreset } from './rights-words.ts'
import { t } from './words.ts'

export type Collaborator = Reply<'GET /api/servers/{id}/collaborators'>['items'][number]

interface ShareFormProps {
  serverId: string
  held: readonly ServerPermission[]
  /** Whose permissions change; undefined invites somebody new. */
  person: Collaborator | undefined
  onDone: () => void
}

interface Values {
  email: string
  permissions: readonly ServerPermission[]
  files: FileRules
  invite: boolean
}

/** Invites somebody to a server, or changes their permissions. */
export function ShareForm({ serverId, held, person, onDone }: ShareFormProps) {
  const params = { id: serverId }
  const form = useForm<Values, Collaborator & { link?: ShownLink | undefined }>({
    initial: {
      email: person?.email ?? '',
      permissions: person?.permissions ?? rightsOfPreset('operator', held),
      files: person?.files ?? [],
      invite: true,
    },
    submit: ({ email, permissions, files, invite }) =>
      person
        ? api('PATCH /api/servers/{id}/collaborators/{userId}', {
            params: { ...params, userId: person.id },
            body: { permissions: [...permissions], files: sentRules(files) },
          })
        : api('POST /api/servers/{id}/collaborators', {
            params,
            body: {
              ...{ email: email.trim(), permissions: [...permissions], invite },
              files: sentRules(files),
            },
          }),
    refreshes: ['GET /api/servers/{id}/collaborators'],
    done: (saved) => {
      const { email } = saved
      if (showLink(email, saved)) return onDone()
      if (person) toastDone(t.permissionsSaved({ email }))
      else toastDone(t.invited({ email }), t.invitedText)
      onDone()
    },
  })
  return (
    <Form
      form={form}
      command
      submitText={person ? t.savePermissions : t.sendInvitation}
      disabledBecause={form.values.permissions.length === 0 ? t.chooseFirst : undefined}
    >
      {person ? null : (
        <>
          <TextField
            label={t.email}
            type="email"
            autoComplete="off"
            placeholder={t.exampleEmail}
            {...form.field('email')}
          />
          <SwitchField
            label={t.withoutAccount}
            description={t.withoutAccountHelp}
            {...form.field('invite')}
          />
        </>
      )}
      <RightsFields
        value={form.values.permissions}
        onChange={(permissions) => form.set('permissions', permissions)}
        held={held}
      />
      {form.values.permissions.some((one) => one.startsWith('files.')) ? (
        <FolderRules
          value={form.values.files}
          errors={form.errors}
          onChange={(files, pointer) => form.set('files', files, pointer)}
        />
      ) : null}
    </Form>
  )
}
