--[[
Ends a run: stores the result and releases the lease of the source. A request that arrived during the run is kept.
KEYS[1] sources:{<tenant>}:state:<name>   KEYS[2] sources:{<tenant>}:lease:<name>
ARGV[1] token of the run   ARGV[2] the run's result as JSON   ARGV[3] time of the next run (ms), or ''
ARGV[4] the request that this run served, or ''   ARGV[5] the due time when the run began, or ''
If new settings changed the due time during the run, the new due time is kept. The next run then applies the settings.
Returns nil if another run has the lease (nothing written). Otherwise returns the remaining request, or ''.
]]
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return nil end
redis.call('HSET', KEYS[1], 'last', ARGV[2])
redis.call('HDEL', KEYS[1], 'running')
if (redis.call('HGET', KEYS[1], 'next') or '') == ARGV[5] then
  if ARGV[3] == '' then redis.call('HDEL', KEYS[1], 'next') else redis.call('HSET', KEYS[1], 'next', ARGV[3]) end
end
local wanted = redis.call('HGET', KEYS[1], 'wanted')
if wanted == ARGV[4] then
  redis.call('HDEL', KEYS[1], 'wanted')
  wanted = false
end
redis.call('DEL', KEYS[2])
return wanted or ''
