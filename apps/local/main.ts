void (process.argv[2] === 'move' ? import('./migrate') : import('./start'))
