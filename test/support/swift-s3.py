"""OpenStack Swift with its S3 interface in one process; objects in memory, listings in SQLite.

Usage: swift-s3.py <folder> <account:user> <secret> <bucket>. Prints the port once it answers, and
ends with its standard input.
"""

import eventlet

eventlet.monkey_patch(socket=True, select=True, thread=True)

import os
import sys
from array import array

from eventlet import listen, spawn, wsgi
from swift.common import storage_policy, utils
from swift.common.ring import RingData
from swift.common.wsgi import SwiftHttpProtocol, loadapp

folder, key_id, secret, bucket = sys.argv[1:]
account, user = key_id.split(':')
utils.HASH_PATH_PREFIX = b'test'
storage_policy._POLICIES = storage_policy.StoragePolicyCollection(
    [storage_policy.StoragePolicy(0, 'one', True)]
)

# Only now, because they read the storage policies.
from swift.account.server import AccountController
from swift.common.swob import Request
from swift.container.server import ContainerController
from swift.obj.mem_server import ObjectController

PROXY = f"""
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = s3api tempauth slo proxy-server
[filter:s3api]
use = egg:swift#s3api
location = eu-1
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


def serve(app):
    server = listen(('127.0.0.1', 0))
    spawn(wsgi.server, server, app, utils.NullLogger(), protocol=SwiftHttpProtocol)
    return server.getsockname()[1]


settings = {'devices': folder, 'mount_check': 'false'}
servers = {
    'account': AccountController(settings),
    'container': ContainerController(settings),
    'object': ObjectController(settings),
}
os.makedirs(os.path.join(folder, 'disk', 'tmp'))
os.chdir(folder)
for name, server in servers.items():
    device = {'id': 0, 'zone': 0, 'device': 'disk', 'ip': '127.0.0.1', 'port': serve(server)}
    device |= {'replication_ip': device['ip'], 'replication_port': device['port']}
    RingData([array('H', [0])], [device], 32).save(f'{name}.ring.gz')
with open('proxy.conf', 'w') as file:
    file.write(PROXY)
proxy = loadapp(os.path.join(folder, 'proxy.conf'))
# The bucket is made behind the authentication.
core = proxy
while hasattr(core, 'app'):
    core = core.app
environ = {'REQUEST_METHOD': 'PUT'}
made = Request.blank(f'/v1/AUTH_{account}/{bucket}', environ=environ).get_response(core)
if made.status_int != 201:
    sys.exit(f'the bucket could not be made: {made.status}')


class Cache:
    """Stands in for memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def delete(self, key, **_):
        self.values.pop(key, None)


cache = Cache()
port = serve(lambda env, start_response: proxy({**env, 'swift.cache': cache}, start_response))
print(port, flush=True)
eventlet.tpool.execute(sys.stdin.read)
os._exit(0)
