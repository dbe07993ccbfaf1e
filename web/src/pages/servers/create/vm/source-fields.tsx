import { formatMib } from '@lodge/shared/units.ts'
import Plus from 'lucide-react/icons/plus'
import { useEffect, useState } from 'react'
import { useMe } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { AreaField } from '../../../../ui/fields/area-field.tsx'
import { PasswordField } from '../../../../ui/fields/password-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Column, Row } from '../../../../ui/page/layout.tsx'
import { AddMedium } from '../../../virtualization/add-medium.tsx'
import { type Catalogue, mediaFor, type SourceKind, type VmValues } from './vm-values.ts'

const SOURCES: readonly { kind: SourceKind; name: string; about: string }[] = [
  { kind: 'image', name: 'Cloud image', about: 'Ready in a minute; you sign in with an SSH key' },
  { kind: 'iso', name: 'Installation medium', about: 'You install the system on the screen' },
  { kind: 'empty', name: 'Empty disk', about: 'Nothing on it, nothing in the drive' },
]

/** The initial content of a new machine's disk, and its login. */
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
  const [adding, setAdding] = useState(false)
  const [awaited, setAwaited] = useState<string>()
  const waiting = catalogue.media.find(({ id, state }) => id === awaited && state !== 'ready')
  const arrived = media.some(({ id }) => id === awaited) ? awaited : undefined
  useEffect(() => {
    if (arrived === undefined) return
    form.setValues((old) => ({ ...old, mediumId: arrived }))
    setAwaited(undefined)
  }, [arrived, form.setValues])
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
              <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
                {values.source === 'iso' ? 'Add medium' : 'Add image'}
              </Button>
            ) : undefined
          }
        >
          {host
            ? 'Take one from the list, upload it, or give its address.'
            : 'Choose another beginning, or ask your host for one.'}
        </Note>
      ) : (
        <>
          <SelectField
            label={values.source === 'iso' ? 'Medium' : 'Image'}
            choices={media.map(({ id, name, virtualSizeMb }) => ({
              value: id,
              label: virtualSizeMb === null ? name : `${name} (${formatMib(virtualSizeMb)})`,
            }))}
            {...form.field('mediumId')}
            error={errors['vm/source/mediumId'] ?? errors['vm/source']}
          />
          {host ? (
            <Row>
              <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
                {values.source === 'iso' ? 'Add medium' : 'Add image'}
              </Button>
            </Row>
          ) : null}
        </>
      )}
      {waiting ? (
        <Note tone="info" title={`${waiting.name} is not ready yet`}>
          {waiting.state === 'failed'
            ? waiting.failure
            : 'It is chosen here as soon as it has arrived and passed its check.'}
        </Note>
      ) : null}
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
          <PasswordField
            label="First password (optional)"
            description="For the screen and for SSH; kept as a hash only"
            autoComplete="new-password"
            {...form.field('password')}
            error={errors['vm/source/seed/password']}
          />
          <TextField
            label="Packages (optional)"
            description="Installed at the first boot"
            placeholder="qemu-guest-agent nginx"
            mono
            {...form.field('packages')}
            error={
              Object.entries(errors).find(([name]) =>
                name.startsWith('vm/source/seed/packages'),
              )?.[1]
            }
          />
          <AreaField
            label="User data of your own (optional)"
            description="Read by cloud-init after what Lodge gives it"
            placeholder="#cloud-config"
            rows={3}
            mono
            {...form.field('userData')}
            error={errors['vm/source/seed/userData']}
          />
        </>
      ) : null}
      {host ? (
        <AddMedium
          opened={adding}
          onClose={() => setAdding(false)}
          kinds={values.source === 'iso' ? ['iso'] : ['qcow2', 'raw']}
          onAdded={setAwaited}
        />
      ) : null}
    </Column>
  )
}
