import type { PluginDetail, PluginOrigin } from '@lodge/shared/plugins/plugin.ts'
import { useNavigate } from '@tanstack/react-router'
import History from 'lucide-react/icons/history'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { PackageButton } from './package-button.tsx'
import { t } from './words.ts'

interface PluginActionsProps {
  plugin: PluginDetail
  missing: string | undefined
}

const STALE = ['GET /api/plugins', 'GET /api/plugins/{plugin}', 'GET /api/plugins/store'] as const

/** Check, on and off, update, rollback, uninstall. */
export function PluginActions({ plugin, missing }: PluginActionsProps) {
  const { id, name, enabled, previousVersion, source } = plugin
  const params = { plugin: id }
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'rollback' | 'uninstall'>()
  const [origin, setOrigin] = useState<PluginOrigin>()
  const turn = useAct('PATCH /api/plugins/{plugin}', STALE)
  const check = useAct('POST /api/plugins/{plugin}/health', [
    ...STALE,
    'GET /api/plugins/{plugin}/logs',
  ])
  const rollBack = useAct('POST /api/plugins/{plugin}/rollback', STALE)
  const remove = useAct('DELETE /api/plugins/{plugin}', [
    'GET /api/plugins',
    'GET /api/plugins/store',
  ])
  return (
    <>
      <ActionMenu
        label={t.moreActions({ name })}
        entries={[
          ...(previousVersion === null
            ? []
            : [
                {
                  label: t.rollBack({ version: previousVersion }),
                  icon: <History />,
                  disabledBecause: missing,
                  onSelect: () => setAsking('rollback'),
                },
              ]),
          {
            label: t.uninstall,
            icon: <Trash2 />,
            danger: true,
            separated: previousVersion !== null,
            disabledBecause: missing,
            onSelect: () => setAsking('uninstall'),
          },
        ]}
      />
      {source === 'registry' ? (
        <Button disabledBecause={missing} onClick={() => setOrigin({ source, id })}>
          {t.lookForUpdate}
        </Button>
      ) : null}
      {source === 'upload' ? (
        <PackageButton
          label={t.uploadUpdate}
          missing={missing}
          onPackage={(base64) => setOrigin({ source, package: base64 })}
        />
      ) : null}
      {enabled ? (
        <Button
          busy={check.isPending}
          onClick={() =>
            check.mutate(
              { params },
              {
                onSuccess: ({ ok, latencyMs, message }) =>
                  ok
                    ? toastDone(t.healthy({ ms: latencyMs }), message)
                    : toastRefused(t.unhealthy, new Error(message)),
                onError: (error) => toastRefused(t.unhealthy, error),
              },
            )
          }
        >
          {t.check}
        </Button>
      ) : null}
      <Button
        kind={enabled ? 'default' : 'primary'}
        busy={turn.isPending}
        disabledBecause={missing}
        onClick={() =>
          turn.mutate(
            { params, body: { enabled: !enabled } },
            {
              onSuccess: () => toastDone((enabled ? t.turnedOff : t.turnedOn)({ name })),
              onError: (error) => toastRefused(t.notChanged({ name }), error),
            },
          )
        }
      >
        {enabled ? t.turnOff : t.turnOn}
      </Button>
      <ConfirmDialog
        opened={asking === 'rollback'}
        onClose={() => setAsking(undefined)}
        title={t.rollBackTitle({ version: previousVersion ?? '' })}
        verb={t.rollBack({ version: previousVersion ?? '' })}
        kind="primary"
        onConfirm={async () => {
          const { version } = await rollBack.mutateAsync({ params })
          toastDone(t.rolledBack({ version }))
        }}
      >
        {t.rollBackText}
      </ConfirmDialog>
      <ConfirmDialog
        opened={asking === 'uninstall'}
        onClose={() => setAsking(undefined)}
        title={t.uninstallTitle({ name })}
        verb={t.uninstall}
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          // Nobody needs the settings that were typed for it.
          await navigate({ to: paths.plugins, ignoreBlocker: true })
        }}
      >
        {t.uninstallText}
      </ConfirmDialog>
      <InstallDialog origin={origin} updates={{ id, name }} onClose={() => setOrigin(undefined)} />
    </>
  )
}
