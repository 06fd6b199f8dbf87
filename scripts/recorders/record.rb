# Makes the recordings of VCR: ruby record.rb ORIGIN FOLDER. Needs ruby-vcr, ruby-webmock and ruby-multi-json.
require 'fileutils'
require 'json'
require 'net/http'
require 'vcr'

ORIGIN, FOLDER = ARGV
CALLS = JSON.parse(File.read(File.join(__dir__, 'calls.json')))

VCR.configure do |config|
  config.cassette_library_dir = FOLDER
  config.hook_into :webmock
  # What VCR's manual tells people to do who want to read what was recorded.
  config.before_record(:readable) do |interaction|
    body = interaction.response.body.dup.force_encoding('UTF-8')
    interaction.response.body = body if body.valid_encoding?
  end
end

def ask(call)
  uri = URI(ORIGIN + call['path'])
  request = call['form'] ? Net::HTTP::Post.new(uri) : Net::HTTP::Get.new(uri)
  request.body = call['form'] if call['form']
  request['Content-Type'] = 'application/x-www-form-urlencoded' if call['form']
  # Named by the caller, the coding is not undone by Net::HTTP.
  request['Accept-Encoding'] = call['identity'] ? 'identity' : 'gzip' if call['identity'] || call['form']
  Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
end

def record(name, calls, **options)
  FileUtils.rm_f(File.join(FOLDER, name))
  VCR.use_cassette(File.basename(name, '.*'), record: :all, **options) { calls.each { |call| ask(call) } }
end

readable = { decode_compressed_response: true, tag: :readable }
record('vcr.yml', CALLS)
record('vcr-exact.yml', CALLS, preserve_exact_body_bytes: true)
record('vcr-readable.yml', CALLS, **readable)
record('vcr.json', CALLS.reject { |call| call['path'].end_with?('.png') }, serialize_with: :json, **readable)
