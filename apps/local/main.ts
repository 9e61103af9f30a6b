/** `move` takes what stands in the data folder elsewhere; everything else is a start. */
void (process.argv[2] === 'move' ? import('./move') : import('./start'))
