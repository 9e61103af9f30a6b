/** `move` migrates the data folder; everything else is a start. */
void (process.argv[2] === 'move' ? import('./move') : import('./start'))
