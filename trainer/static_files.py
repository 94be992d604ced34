"""Static files with their digest in their names, so that a browser may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """The names inside of `import … from` are hashed too: the pages' scripts are ES modules."""

    support_js_module_import_aggregation = True
