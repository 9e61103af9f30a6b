--[[
Adds waiting jobs of one name to one queue, as BullMQ's addStandardJob would one after another, but without its events, which nobody
here listens to; its spec compares the two.
KEYS[1] wait   KEYS[2] meta   KEYS[3] id   KEYS[4] active   KEYS[5] marker
ARGV[1] the queue's key prefix   ARGV[2] name   ARGV[3] timestamp (ms)   ARGV[4] options as JSON, with a %s for the job's id
  then for each job: id   data as JSON
Returns nothing; a job whose id is known already stays as it is.
]]
local wait, meta, counter, active, marker = unpack(KEYS)
local prefix, name, timestamp, options = unpack(ARGV, 1, 4)

local held, concurrency = unpack(redis.call('HMGET', meta, 'paused', 'concurrency'))
local full = held or concurrency and redis.call('LLEN', active) >= tonumber(concurrency)

local added = {}
for i = 5, #ARGV, 2 do
  local id = ARGV[i]
  local key = prefix .. id
  if redis.call('EXISTS', key) == 0 then
    added[#added + 1] = id
    redis.call('HMSET', key, 'name', name, 'data', ARGV[i + 1], 'opts', string.format(options, id), 'timestamp', timestamp, 'delay', 0, 'priority', 0)
  end
end
redis.call('INCRBY', counter, (#ARGV - 4) / 2)
if #added == 0 then return end
redis.call('LPUSH', wait, unpack(added))
if not full then redis.call('ZADD', marker, 0, '0') end
