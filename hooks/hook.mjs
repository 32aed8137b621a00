// What hooks/hook.sh hands over to: `trimtab hook PreToolUse` in this process.
// Never ends with anything but 0. Spelled for old Nodes too, because the one on the person's PATH is not ours to choose.

const [event = 'PreToolUse'] = process.argv.slice(2);
const isOld = Number(process.versions.node.split('.')[0]) < 20;

if (isOld) {
  fail('node-too-old', process.versions.node);
} else {
  import('../node/hook.mjs').then((hook) => hook.serveHook({ event })).catch((error) => fail('hook-not-loaded', error.code));
}

function fail(code, detail) {
  import('../node/records.mjs')
    .then(({ createRecords }) =>
      import('../node/home.mjs').then(({ trimtabHome }) => createRecords({ home: trimtabHome(), route: 'hook', event })(code, detail)),
    )
    .catch(() => {})
    .then(() => process.exit(0));
}
