import { Copyable } from '../../../ui/data/copy.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Column } from '../../../ui/page/layout.tsx'
import { useVm } from '../use-vm.ts'
import { t } from '../words.ts'
import { NatRules } from './nat-rules.tsx'

/** A machine's network card and its NAT rules. */
export function MachineNetwork({ serverId }: { serverId: string }) {
  const vm = useVm()
  return (
    <Loaded query={vm}>
      {(found) => (
        <Column>
          <NatRules
            key={found.ports.map(({ hostPort }) => hostPort).join()}
            serverId={serverId}
            vm={found}
          />
          <Card title={t.inside}>
            <Facts
              rows={[
                [t.network, found.network.name],
                [
                  t.address,
                  <Copyable key="address" value={found.network.address} label={t.copyAddress} />,
                ],
                [t.prefixLength, String(found.network.prefixLength)],
                [t.gateway, found.network.gateway],
                [t.nameServers, found.network.dns.join(', ') || found.network.gateway],
                [t.mac, <Copyable key="mac" value={found.network.mac} label={t.copyMac} />],
                [t.hostName, found.hostname],
              ]}
            />
          </Card>
        </Column>
      )}
    </Loaded>
  )
}
