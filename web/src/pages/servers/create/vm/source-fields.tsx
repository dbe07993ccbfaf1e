import Plus from 'lucide-react/icons/plus'
import { useEffect, useState } from 'react'
import { useMe } from '../../../../session/session.ts'
import { Button } from '../../../../ui/buttons/button.tsx'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { Tiles } from '../../../../ui/choices/tiles.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { AreaField } from '../../../../ui/fields/area-field.tsx'
import { PasswordField } from '../../../../ui/fields/password-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import type { FormState } from '../../../../ui/form/form.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Column, Row } from '../../../../ui/page/layout.tsx'
import { AddMedium } from '../../../virtualization/add-medium.tsx'
import { t } from '../words.ts'
import { type Catalogue, mediaFor, type SourceKind, type VmValues } from './vm-values.ts'

const sources = (): readonly { kind: SourceKind; name: string; about: string }[] => [
  { kind: 'image', name: t.cloudImage, about: t.cloudImageText },
  { kind: 'iso', name: t.installationMedium, about: t.installationMediumText },
  { kind: 'empty', name: t.emptyDisk, about: t.emptyDiskText },
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
        legend={t.startsFrom}
        items={sources()}
        keyOf={({ kind }) => kind}
        chosen={values.source}
        onChoose={(key) => {
          const source = sources().find(({ kind }) => kind === key)?.kind ?? 'empty'
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
          title={values.source === 'iso' ? t.noMediumOffered : t.noImageOffered}
          action={
            host ? (
              <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
                {values.source === 'iso' ? t.addMedium : t.addImage}
              </Button>
            ) : undefined
          }
        >
          {host ? t.noneOfferedHost : t.noneOfferedCustomer}
        </Note>
      ) : (
        <>
          <SelectField
            label={values.source === 'iso' ? t.medium : t.image}
            choices={media.map(({ id, name, virtualSizeMb }) => ({
              value: id,
              label:
                virtualSizeMb === null
                  ? name
                  : t.nameAndSize({ name, size: formatMib(virtualSizeMb) }),
            }))}
            {...form.field('mediumId')}
            error={errors['vm/source/mediumId'] ?? errors['vm/source']}
          />
          {host ? (
            <Row>
              <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
                {values.source === 'iso' ? t.addMedium : t.addImage}
              </Button>
            </Row>
          ) : null}
        </>
      )}
      {waiting ? (
        <Note tone="info" title={t.notReady({ medium: waiting.name })}>
          {waiting.state === 'failed' ? waiting.failure : t.notReadyText}
        </Note>
      ) : null}
      {values.source === 'image' ? (
        <>
          <TextField
            label={t.user}
            description={t.userText}
            mono
            {...form.field('user')}
            error={errors['vm/source/seed/user']}
          />
          <AreaField
            label={t.sshKeys}
            description={t.sshKeysText}
            placeholder={t.exampleKey}
            rows={3}
            mono
            {...form.field('sshKeys')}
            error={
              Object.entries(errors).find(([name]) => name.startsWith('vm/source/seed/ssh'))?.[1]
            }
          />
          <PasswordField
            label={t.password}
            description={t.passwordText}
            autoComplete="new-password"
            {...form.field('password')}
            error={errors['vm/source/seed/password']}
          />
          <TextField
            label={t.packages}
            description={t.packagesText}
            placeholder={t.examplePackages}
            mono
            {...form.field('packages')}
            error={
              Object.entries(errors).find(([name]) =>
                name.startsWith('vm/source/seed/packages'),
              )?.[1]
            }
          />
          <AreaField
            label={t.userData}
            description={t.userDataText}
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
