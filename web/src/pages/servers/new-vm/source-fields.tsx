import { formatMib } from '@lodge/shared/units.ts'
import { paths } from '../../../paths.ts'
import { useMe } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Tiles } from '../../../ui/choices/tiles.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { FormState } from '../../../ui/form/form.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { type Catalogue, mediaFor, type SourceKind, type VmValues } from './vm-values.ts'

const SOURCES: readonly { kind: SourceKind; name: string; about: string }[] = [
  { kind: 'image', name: 'Cloud image', about: 'Ready in a minute; you sign in with an SSH key' },
  { kind: 'iso', name: 'Installation medium', about: 'You install the system on the screen' },
  { kind: 'empty', name: 'Empty disk', about: 'Nothing on it, nothing in the drive' },
]

/** What the disk of a new machine begins as, and who may sign in. */
export function SourceFields({
  form,
  catalogue,
}: {
  form: FormState<VmValues>
  catalogue: Catalogue
}) {
  const { values, errors } = form
  const host = useMe().role === 'admin'
  const media = mediaFor(catalogue, values.source)
  return (
    <Column>
      <Tiles
        legend="Begins with"
        items={SOURCES}
        keyOf={({ kind }) => kind}
        chosen={values.source}
        onChoose={(key) => {
          const source = SOURCES.find(({ kind }) => kind === key)?.kind ?? 'empty'
          form.setValues((old) => ({
            ...old,
            source,
            mediumId: mediaFor(catalogue, source)[0]?.id ?? '',
          }))
        }}
      >
        {({ name, about }) => (
          <>
            <b>{name}</b>
            <small>{about}</small>
          </>
        )}
      </Tiles>
      {values.source === 'empty' ? null : media.length === 0 ? (
        <Note
          tone="warn"
          title={
            values.source === 'iso' ? 'No installation medium is offered' : 'No image is offered'
          }
          action={
            host ? (
              <LinkButton to={paths.virtualization} size="small">
                Open virtualization
              </LinkButton>
            ) : undefined
          }
        >
          {host
            ? 'Register one there first.'
            : 'Choose another beginning, or ask your host for one.'}
        </Note>
      ) : (
        <SelectField
          label={values.source === 'iso' ? 'Medium' : 'Image'}
          choices={media.map(({ id, name, virtualSizeMb }) => ({
            value: id,
            label: virtualSizeMb === null ? name : `${name} (${formatMib(virtualSizeMb)})`,
          }))}
          {...form.field('mediumId')}
          error={errors['vm/source/mediumId'] ?? errors['vm/source']}
        />
      )}
      {values.source === 'image' ? (
        <>
          <TextField
            label="User"
            description="Gets the keys and may become root"
            mono
            {...form.field('user')}
            error={errors['vm/source/seed/user']}
          />
          <AreaField
            label="SSH keys"
            description="Public ones, one in each line"
            placeholder="ssh-ed25519 AAAA…"
            rows={3}
            mono
            {...form.field('sshKeys')}
            error={
              Object.entries(errors).find(([name]) => name.startsWith('vm/source/seed/ssh'))?.[1]
            }
          />
        </>
      ) : null}
    </Column>
  )
}
